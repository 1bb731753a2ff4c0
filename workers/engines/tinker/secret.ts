import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A text that printing, joining and JSON never show; `reveal` alone gives it. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /** `text` with every occurrence of this secret hidden. */
  hideIn(text: string): string {
    return text.replaceAll(this.#text, HIDDEN);
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
