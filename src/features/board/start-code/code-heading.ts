/** «Код начала», or that of a class. */
export const codeHeading = (className: string | null): string =>
  className === null ? 'Код начала' : `Код начала, ${className}`;
