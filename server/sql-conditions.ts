/** Conditions of a statement with their parameters, built up together. */
export class SqlConditions {
  readonly parameters: unknown[] = [];
  private readonly texts: string[] = [];

  /** `?` stands for the parameter. Undefined and null ask for nothing. */
  add(text: string, parameter: unknown): void {
    if (parameter === undefined || parameter === null) return;
    this.addTuple(text, [parameter]);
  }

  /** Each `?` stands for one of the parameters, in their order. */
  addTuple(text: string, parameters: readonly unknown[]): void {
    let index = 0;
    this.texts.push(text.replaceAll('?', () => this.parameter(parameters[index++])));
  }

  /** The placeholder of a further parameter. */
  parameter(value: unknown): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }

  get where(): string {
    return this.texts.length === 0 ? 'true' : this.texts.join(' AND ');
  }
}
