/** Replaces a field while its code is loaded. */
export const OPENING = <p role="status">Открываем вопрос</p>;
