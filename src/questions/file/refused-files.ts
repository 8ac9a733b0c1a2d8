/** Why some of the picked files are not part of the answer; null: all are. */
export function describeRefusedFiles(
  picked: readonly { readonly name: string }[],
  problems: readonly (string | null)[],
  tooMany: number,
  maxFiles: number,
): string | null {
  const [only] = problems;
  if (picked.length === 1 && only) return only;
  const refused = picked.flatMap(({ name }, index) => {
    const problem = problems[index];
    return problem ? [`«${name}»: ${problem}.`] : [];
  });
  const accepted = picked.length - refused.length - tooMany;
  if (tooMany > 0)
    refused.push(
      `Взято файлов: ${accepted}, не взято: ${tooMany}. К этому вопросу можно приложить не больше ${maxFiles}.`,
    );
  return refused.length === 0 ? null : refused.join(' ');
}
