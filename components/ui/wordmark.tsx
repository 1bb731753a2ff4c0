/** The mark: a curve that climbs in steps, and the one it left. */
export function Wordmark() {
  return (
    <>
      <svg viewBox="0 0 18 18" fill="none" aria-hidden className="size-4.5" strokeWidth={1.8}>
        <path d="M1.5 14.5h4v-4h4v-4h7" stroke="var(--ink)" />
        <path d="M9.5 6.5v7.5h7" stroke="var(--ink-3)" strokeDasharray="2.4 1.8" />
      </svg>
      stepscope
    </>
  );
}
