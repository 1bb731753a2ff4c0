/** What Next hands a page of its address behind the `?`. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The parameters as screens read them; of one that is repeated the first. */
export function asParameters(given: Awaited<SearchParams>): { get(name: string): string | null } {
  return {
    get: (name) => {
      const value = given[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    },
  };
}
