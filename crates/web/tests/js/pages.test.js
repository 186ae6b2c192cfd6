// Pages of a list of tours, however many there are.

import test from 'node:test';
import assert from 'node:assert/strict';
import { turned } from '../../page/js/gallery.js';

test('pages are turned to both ends and not beyond', () => {
  for (const total of [1n, 8n, 12n, 13n, 864n, 389_969_466n, 10n ** 30n]) {
    const last = turned(0n, 'last', total);
    assert.ok(last % 12n === 0n && last < total && total - last <= 12n, `${total}: ${last}`);
    assert.equal(turned(last, 'after', total), last);
    assert.equal(turned(0n, 'before', total), 0n);
    assert.equal(turned(last, 'first', total), 0n);
    if (last > 0n) {
      assert.equal(turned(turned(last, 'before', total), 'after', total), last);
      assert.equal(turned(0n, 'after', total), 12n);
    }
  }
});
