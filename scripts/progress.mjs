/** A line that says how far a long thing is: redrawn on a terminal, now and then in a log. */
const BAR_WIDTH = 24;
const REDRAW_MS = 200;
const LOG_EVERY_MS = 15_000;
const FALLBACK_COLUMNS = 100;

export function formatElapsed(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `fraction` from 0 to 1. */
export function bar(fraction) {
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${String(Math.floor(fraction * 100)).padStart(3)} %`;
}

/** Rewrites the current terminal line, or prints one where output is no terminal. */
export function drawLine(text) {
  if (!process.stdout.isTTY) return console.log(text);
  const columns = process.stdout.columns || FALLBACK_COLUMNS;
  process.stdout.write(`\r\x1b[2K${text.length < columns ? text : `${text.slice(0, columns - 2)}…`}`);
}

export function endLine() {
  if (process.stdout.isTTY) process.stdout.write('\n');
}

/** Starts the line; `set(fraction or null, note)`, then `done(note)` or `failed(note)`. */
export function startProgress(label) {
  const startedAt = Date.now();
  let fraction = null;
  let note = '';
  const draw = () => {
    const measured = fraction === null ? '' : `${bar(fraction)}  `;
    drawLine(`${label}  ${measured}${formatElapsed(Date.now() - startedAt)}${note ? `  ${note}` : ''}`);
  };
  draw();
  const timer = setInterval(draw, process.stdout.isTTY ? REDRAW_MS : LOG_EVERY_MS);
  const end = (word, last) => {
    clearInterval(timer);
    drawLine(`${label}  ${word} in ${formatElapsed(Date.now() - startedAt)}${last ? `  ${last}` : ''}`);
    endLine();
  };
  return {
    set(nextFraction, nextNote = note) {
      fraction = nextFraction;
      note = nextNote;
    },
    done: (last = '') => end('done', last),
    failed: (last = '') => end('failed', last),
  };
}
