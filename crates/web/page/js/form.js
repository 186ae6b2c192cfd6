// Fields of a question: each has a label, a value, and a place for what is wrong with it.
//
// Idea: a field is `{root, get, set, complain}`; `get` gives the value in the API's words, or undefined when the
// field does not matter, so a question is the fields that have something to say.

import { h, say, freshId } from './dom.js';
import { t } from './i18n.js';

function field(label, control, { get, set, wide = false, help = null, aside = null }) {
  const id = control.id || freshId('field');
  control.id = id;
  const fault = h('p', { class: 'fault-line', id: `${id}-fault` });
  control.setAttribute('aria-describedby', `${id}-fault`);
  const root = h(
    'div',
    { class: wide ? 'field wide' : 'field' },
    h('label', { text: label, for: id }),
    aside,
    control,
    help ? h('p', { class: 'help', text: help }) : null,
    fault,
  );
  return {
    root,
    control,
    get,
    set,
    complain: (text) => {
      fault.textContent = text ?? '';
      control.setAttribute('aria-invalid', String(Boolean(text)));
    },
  };
}

/** A line of text. */
export function textField(label, { hint, help, changed, wide, aside, mono = false, ...more }) {
  const input = h('input', {
    type: 'text',
    hint,
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    class: mono ? 'mono' : '',
    on: { change: changed },
    ...more,
  });
  return field(label, input, {
    wide,
    help,
    aside,
    get: () => input.value.trim() || undefined,
    set: (value) => {
      input.value = value ?? '';
    },
  });
}

/** A whole number. */
export function numberField(label, { min = 1, max, changed }) {
  const input = h('input', {
    type: 'number',
    min: String(min),
    max: max ? String(max) : null,
    inputmode: 'numeric',
    on: { change: changed },
  });
  return field(label, input, {
    get: () => (input.value === '' ? undefined : Number(input.value)),
    set: (value) => {
      input.value = value ?? '';
    },
  });
}

/**
 * One of several, in a list; options are `[value, text key]` or `[value, null, plain text]`. An `open` list takes a
 * value that it does not know (yet), and shows it as it is.
 */
export function choiceField(label, options, { changed, wide, open = false } = {}) {
  const select = h('select', { on: { change: changed } });
  const fill = (list) => {
    const was = select.value;
    select.replaceChildren(
      ...list.map(([value, key, plain]) => h('option', { value, text: key ?? undefined }, plain ?? '')),
    );
    for (const [index, [, key]] of list.entries()) if (key) say(select.options[index], 'text', key);
    if (list.some(([value]) => value === was)) select.value = was;
    else if (open && was) take(was);
  };
  const take = (value) => {
    select.append(h('option', { value }, value));
    select.value = value;
  };
  fill(options);
  return {
    ...field(label, select, {
      wide,
      get: () => select.value || undefined,
      set: (value) => {
        select.value = value ?? options[0][0];
        if (select.selectedIndex >= 0) return;
        if (open) take(value);
        else select.selectedIndex = 0;
      },
    }),
    fill,
  };
}

/** Yes or no; `note` says more of it. */
export function checkField(label, { changed } = {}) {
  const id = freshId('check');
  const input = h('input', { type: 'checkbox', id, on: { change: changed } });
  const help = h('p', { class: 'help', id: `${id}-help` });
  const root = h('div', { class: 'field check wide' }, input, h('label', { for: id, text: label }), help);
  return {
    root,
    note: (key, values) => {
      input.setAttribute('aria-describedby', help.id);
      say(help, 'text', key, values);
    },
    control: input,
    get: () => input.checked || undefined,
    set: (value) => {
      input.checked = value === true || value === 'true';
    },
    complain: () => {},
  };
}

/** One of a few, side by side; `aside` stands beside the label. */
export function segmentedField(label, options, { changed, wide = true, hidden = false, aside = null } = {}) {
  const name = freshId('choice');
  const radios = options.map(([value, key], index) => {
    const id = `${name}-${index}`;
    const input = h('input', { type: 'radio', name, id, value, class: 'unseen', on: { change: changed } });
    return { input, label: h('label', { for: id, text: key }) };
  });
  radios[0].input.checked = true;
  const fault = h('p', { class: 'fault-line' });
  const root = h(
    'fieldset',
    { class: wide ? 'field wide' : 'field' },
    h('legend', { text: label, class: hidden ? 'unseen' : '' }),
    aside,
    h('div', { class: 'segmented' }, ...radios.flatMap(({ input, label: tag }) => [input, tag])),
    fault,
  );
  return {
    root,
    control: radios[0].input,
    get: () => radios.find(({ input }) => input.checked)?.input.value,
    set: (value) => {
      for (const { input } of radios) input.checked = input.value === (value ?? options[0][0]);
    },
    /** Takes a value out of the choice, or back in. */
    allow: (value, on) => {
      for (const { input, label: tag } of radios)
        if (input.value === value) input.disabled = input.hidden = tag.hidden = !on;
    },
    complain: (text) => {
      fault.textContent = text ?? '';
    },
  };
}

/** Files × ranks, with a few sizes to choose from. */
export function sizeField({ changed, chips = [], most = 1_000_000 }) {
  const id = freshId('size');
  const part = (label, name) =>
    h('input', {
      type: 'number',
      min: '1',
      max: String(most),
      inputmode: 'numeric',
      id: `${id}-${name}`,
      label,
      tip: label,
      on: { change: changed },
    });
  const files = part('form.files', 'files');
  const ranks = part('form.ranks', 'ranks');
  const fault = h('p', { class: 'fault-line' });
  const set = (text) => {
    const [w, r] = String(text).split(/[x×]/i);
    files.value = w;
    ranks.value = r;
  };
  const root = h(
    'fieldset',
    { class: 'field wide size' },
    h('legend', { text: 'form.board' }),
    h(
      'div',
      { class: 'aside' },
      ...chips.map((size) =>
        h(
          'button',
          {
            type: 'button',
            class: 'chip quiet',
            on: {
              click: () => {
                set(size);
                changed();
              },
            },
          },
          size.replace('x', '×'),
        ),
      ),
    ),
    h('div', { class: 'row' }, files, h('span', { 'aria-hidden': 'true' }, '×'), ranks),
    fault,
  );
  return {
    root,
    control: files,
    get: () => {
      const [w, r] = [Number(files.value), Number(ranks.value)];
      const whole = (value) => Number.isInteger(value) && value >= 1 && value <= most;
      fault.textContent = whole(w) && whole(r) ? '' : t('form.size_fault', { most });
      return whole(w) && whole(r) ? `${w}x${r}` : null;
    },
    set,
    complain: (text) => {
      fault.textContent = text ?? '';
    },
  };
}

/** Tools to paint with: one is in hand. */
export const toolField = (tools, aside) => segmentedField('form.tool', tools, { aside });

/** Open tours or closed ones; where it makes sense, both. */
export function shapeField({ changed, both = false }) {
  const shapes = [
    ['open', 'form.open'],
    ['closed', 'form.closed'],
  ];
  return segmentedField('form.shape', both ? [['both', 'form.both'], ...shapes] : shapes, { changed });
}

/** Squares that are left out: a list of names, read from a line of text. */
export function holesField({ changed, help, aside }) {
  const line = textField('form.holes', { hint: 'form.holes_hint', changed, wide: true, help, aside });
  return {
    ...line,
    get: () => line.get()?.match(/[^\s,]+/g) ?? undefined,
    set: (squares) => line.set(Array.isArray(squares) ? squares.join(',') : squares),
  };
}

/** The symmetry that tours must have; `more` are those that only some questions know. */
export function symmetryField({ changed, more = [] }) {
  const symmetries = [
    ['', 'form.none'],
    ['half-turn', 'symmetry.half'],
    ['quarter-turn', 'symmetry.quarter'],
    ['mirror', 'symmetry.mirror'],
    ['diagonal-mirror', 'symmetry.diagonal'],
  ];
  return choiceField('form.symmetry', [...symmetries, ...more], { changed });
}

/** The edges that are joined. */
export function wrapField({ changed }) {
  const edges = [
    ['', 'wrap.none'],
    ['x', 'wrap.x'],
    ['y', 'wrap.y'],
    ['both', 'wrap.both'],
  ];
  return choiceField('form.wrap', edges, { changed });
}

/** What a search may take, under the names of the API. */
export function limitFields({ changed }) {
  return {
    time_limit: textField('form.time', { hint: 'form.time_hint', changed }),
    threads: numberField('form.threads', { max: 64, changed }),
  };
}

/** A part that can be opened. */
export function more(label, ...fields) {
  return h(
    'details',
    { class: 'more' },
    h('summary', { text: label }),
    h('div', { class: 'fields' }, ...fields.map((one) => one.root)),
  );
}
