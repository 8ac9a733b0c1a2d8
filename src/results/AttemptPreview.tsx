/** Answers of an attempt, as far as this reader may see them. */
export function AttemptPreview(_props: { attemptId: string; viewerId: string }) {
  return null;
}
