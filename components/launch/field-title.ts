/** Parts of keys that are read as more than the letters that they are written with. */
const WORDS: Record<string, string> = {
  coef: 'coefficient',
  eps: 'epsilon',
  gae: 'GAE',
  grad: 'gradient',
  id: 'ID',
  kl: 'KL',
  llm: 'LLM',
  lora: 'LoRA',
  mb: 'MB',
  ppo: 'PPO',
  sft: 'SFT',
  url: 'URL',
};

/** A key as a label: `learningRate` -> `Learning rate`, `klCoef` -> `KL coefficient`. */
export function titleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .map((word) => WORDS[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
