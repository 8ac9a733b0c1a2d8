/** An error of a template or a draw, with a Russian message; the engine throws nothing else. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}
