/** What is wrong with a template or one of its draws, in Russian; the engine throws nothing else. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}
