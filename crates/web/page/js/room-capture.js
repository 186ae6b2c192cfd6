// The Capture room: one knight takes all pieces in the fewest moves.
//
// Idea: pieces are painted on the board; the puzzle travels as FEN. A data file or a FEN can be pasted or dropped,
// and is read by the server, so the page has no second reader of files.

import { PieceRoom } from './room-pieces.js';
import { fromFen } from './board.js';
import { CaptureFilm } from './films.js';
import { CaptureLookFilm, CaptureWalkFilm } from './search-films.js';
import { captureOf } from './pieces.js';
import { CaptureGame } from './games.js';
import { t, sentence } from './i18n.js';
import { sizeField, choiceField, textField, checkField, limitFields, more } from './form.js';

const FIRST = '2p2p2/8/p4p2/2p4p/8/1p2p3/6p1/N2p4';

/** A FEN in which every letter but the knight's is a piece to take. */
const plain = (fen) => fen.replace(/[a-z]/gi, (letter) => (/n/i.test(letter) ? 'N' : 'p'));

export class CaptureRoom extends PieceRoom {
  constructor(app) {
    super('capture', {
      app,
      single: ['N'],
      formats: ['svg', 'png', 'gif', 'list', 'json', 'fen', 'csv'],
    });
    this.heard = 'bb-dfs';
    const kept = () => this.kept();
    const fields = {
      board: sizeField({ changed: () => this.resize(), chips: ['5x5', '8x8', '12x12', '20x20'], most: 1000 }),
      preset: this.presetField(),
      puzzle: textField('capture.fen', {
        changed: () => this.read(),
        wide: true,
        mono: true,
        help: 'capture.fen_help',
      }),
      method: this.methodField(() => this.traceable()),
      trace: checkField('form.trace', { changed: kept }),
      parallel: choiceField(
        'form.parallel',
        [
          ['', 'form.none'],
          ['task', 'parallel.task'],
          ['data', 'parallel.data'],
        ],
        { changed: kept },
      ),
      ...limitFields({ changed: kept }),
    };
    this.tool = this.paintTools(['p', 'tool.piece'], ['N', 'tool.knight']);
    this.furnish(
      fields,
      fields.board,
      this.tool,
      fields.preset,
      fields.method,
      fields.trace,
      fields.puzzle,
      more(
        'form.more',
        this.patternField((holes) => this.cut(holes)),
        fields.parallel,
        fields.time_limit,
        fields.threads,
      ),
    );
    this.keepInPlay('board', 'preset');
    this.restore({});
  }

  get brush() {
    return this.tool.get() !== 'N';
  }

  restore(question) {
    const { fields } = this;
    if (!this.load(plain(question.puzzle ?? FIRST))) this.load(FIRST);
    for (const name of ['method', 'parallel', 'time_limit', 'threads']) fields[name].set(question[name]);
    this.traceable();
    fields.trace.set(question.trace);
  }

  fen() {
    return this.editor.fens()[0];
  }

  isPreset({ puzzle }) {
    return plain(puzzle) === this.fen();
  }

  loadPreset({ puzzle }) {
    this.load(plain(puzzle));
  }

  /** The text field has a FEN, or the text of a data file: the server reads what we cannot. */
  async read() {
    const text = this.fields.puzzle.control.value;
    if (/\//.test(text) && fromFen(text) && this.load(plain(text))) this.changed();
    else this.app.take(text);
  }

  /** The fields say what is on the board. */
  written() {
    this.fields.board.set(this.editor.board.sizeName);
    this.fields.puzzle.set(this.fen());
    this.markPreset();
  }

  question() {
    const value = (name) => this.fields[name].get();
    return {
      ...this.problem(),
      method: value('method'),
      trace: value('trace'),
      // A search is watched on one thread.
      parallel: value('method') === 'bb-dfs' && !value('trace') ? value('parallel') : undefined,
      time_limit: value('time_limit'),
      threads: value('threads'),
    };
  }

  problem() {
    return { kind: 'capture', puzzle: this.fen() };
  }

  draw() {
    const { editor } = this;
    const [targets, knight] = [editor.all('p'), editor.find('N')];
    this.stage.setBoard(editor.board);
    this.stage.clear();
    this.stage.view.setPieces(captureOf(targets, () => false, knight));
    this.stage.say(targets.length ? t('capture.invite', { n: targets.length }) : t('capture.empty'), false);
  }

  headline(job) {
    if (job.outcome === 'impossible') return sentence(t('capture.none'));
    const { moves, proved } = job.answer;
    return t(proved ? 'capture.proved' : 'capture.found', { n: moves });
  }

  best(job) {
    const { answer } = job;
    if (!answer.squares?.length) return '';
    const bound = this.bound(job);
    return bound ? t('capture.between', { n: answer.moves, bound }) : t('capture.found', { n: answer.moves });
  }

  show(answer) {
    if (!answer.squares?.length) return false;
    const { board } = this.editor;
    this.stage.showFilm(
      new CaptureFilm(
        board,
        this.editor.all('p'),
        answer.squares.map((name) => board.square(name)),
      ),
    );
    return true;
  }

  watchFilm() {
    const Film = this.fields.method.get() === 'naive' ? CaptureLookFilm : CaptureWalkFilm;
    return new Film(this.editor.board, { start: this.editor.find('N'), targets: this.editor.all('p') });
  }

  game() {
    const [targets, start] = [this.editor.all('p'), this.editor.find('N')];
    if (start < 0 || targets.length === 0) return null;
    return new CaptureGame(this.editor.board, { start, targets });
  }
}
