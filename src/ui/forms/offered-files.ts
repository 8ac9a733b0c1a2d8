import {
  acceptedTypeLabels,
  canShrink,
  fileProblem,
  formatAcceptedTypes,
  type FileRules,
} from '#domain/accepted-file.ts';
import { formatSize } from '#domain/format.ts';

/** What a file field accepts. */
export interface FileLimits extends FileRules {
  /** Default: one file, and another one replaces it. */
  readonly maxFiles?: number | undefined;
  /** A photo above the limit of bytes is made smaller after it was picked. */
  readonly shrinksPhotos?: boolean;
}

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** «Картинки или PDF, до 2 МБ» */
export function formatFileRules({ accept, maxBytes }: FileRules): string {
  const limit = maxBytes === undefined ? '' : `, до ${formatSize(maxBytes)}`;
  return `${capitalize(formatAcceptedTypes(accept))}${limit}`;
}

/** For a student: «JPG, PNG, PDF. До 10 МБ. Проверяет преподаватель.» */
export function fileRulesHint(accept: readonly string[], maxBytes: number, maxFiles = 1): string {
  const types = capitalize(acceptedTypeLabels(accept).join(', ') || 'любой файл');
  const size = `${types}. До ${formatSize(maxBytes)}`;
  return maxFiles === 1
    ? `${size}. Проверяет преподаватель.`
    : `${size} каждый, не больше ${maxFiles} файлов. Проверяет преподаватель.`;
}

/** The message why a picked file is refused, even as a smaller photo; null: it is accepted. */
export function offeredProblem({ name, size, type }: File, limits: FileLimits): string | null {
  const offered = { name, size, mimeType: type };
  const canBeSmaller = limits.shrinksPhotos === true && canShrink(offered, limits);
  return canBeSmaller ? null : fileProblem(offered, limits);
}

/**
 * Divides picked or dropped files into accepted ones and a message about the others.
 * @param count files that are there already
 */
export function sortOffered(picked: readonly File[], limits: FileLimits, count: number) {
  const { maxFiles = 1 } = limits;
  const offered = maxFiles === 1 ? picked.slice(0, 1) : picked;
  const problems = offered.map((file) => offeredProblem(file, limits));
  const fit = offered.filter((_, index) => problems[index] === null);
  const accepted = fit.slice(0, maxFiles === 1 ? 1 : Math.max(0, maxFiles - count));
  const tooMany = fit.length - accepted.length;
  return { accepted, problem: describeRefusedFiles(offered, problems, tooMany, maxFiles) };
}

/** Why some of the picked files are not accepted; null: all are. */
function describeRefusedFiles(
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
