/** Replaces a field while its code is loaded. */
export const OPENING = (
  <p role="status" data-waiting>
    Открываем вопрос
  </p>
);
