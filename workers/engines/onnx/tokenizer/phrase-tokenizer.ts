/** Special tokens of the phrase tokenizers, in the order of their ids (from 256). */
const SPECIAL_TOKENS = ['<|pad|>', '<|user|>', '<|assistant|>', '<|end|>'] as const;

/** One user message gives `<|user|>{content}<|end|><|assistant|>`. */
const CHAT_TEMPLATE =
  "{%- for message in messages -%}{{ '<|' + message.role + '|>' + message.content + '<|end|>' }}{%- endfor -%}" +
  "{%- if add_generation_prompt -%}{{ '<|assistant|>' }}{%- endif -%}";

/**
 * The files of a tokenizer for a small world, as JSON values: byte-level BPE without merges (ids 0-255 are the bytes, so any text has
 * an encoding), then the special tokens, then whole phrases as plain added tokens, of which the longest that fits is
 * taken. Phrases of one ASCII character are left out: their byte already is one token. Any Hugging Face library reads
 * the result.
 */
export function buildPhraseTokenizer(phrases: readonly string[]): {
  tokenizerJson: Record<string, unknown>;
  tokenizerConfig: Record<string, unknown>;
  /** `<|end|>` ends a reply. */
  generationConfig: { eos_token_id: number };
  vocabularySize: number;
} {
  const bytes = byteCharacters();
  const kept = [...new Set(phrases)].filter((phrase) => new TextEncoder().encode(phrase).length > 1);
  const addedTokens = [...SPECIAL_TOKENS, ...kept].map((content, index) => ({
    id: bytes.length + index,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: index < SPECIAL_TOKENS.length,
  }));
  return {
    vocabularySize: bytes.length + addedTokens.length,
    generationConfig: { eos_token_id: bytes.length + SPECIAL_TOKENS.indexOf('<|end|>') },
    tokenizerJson: {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: addedTokens,
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
      post_processor: null,
      decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        vocab: Object.fromEntries(bytes.map((character, id) => [character, id])),
        merges: [],
      },
    },
    tokenizerConfig: {
      tokenizer_class: 'PreTrainedTokenizerFast',
      pad_token: '<|pad|>',
      eos_token: '<|end|>',
      clean_up_tokenization_spaces: false,
      chat_template: CHAT_TEMPLATE,
    },
  };
}

/**
 * The printable character that stands for each byte in byte-level BPE: printable Latin-1 bytes stand for themselves,
 * the others are numbered from U+0100 (GPT-2's `bytes_to_unicode`).
 */
function byteCharacters(): string[] {
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    return String.fromCharCode(isPrintable ? byte : 0x100 + moved++);
  });
}
