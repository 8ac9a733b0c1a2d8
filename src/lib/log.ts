/** Logs a problem to the console; never tokens, names or answers. */
export function logProblem(message: string, details?: Record<string, unknown>): void {
  console.warn(message, ...(details ? [details] : []));
}
