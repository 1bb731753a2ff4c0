/** A ref for the row that is current: when a row becomes it, the page scrolls as little as shows the row. */
export function keepInView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
