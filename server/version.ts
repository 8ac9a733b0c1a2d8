import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const readJson = (url: URL): { version?: unknown } => {
  try {
    return JSON.parse(readFileSync(fileURLToPath(url), 'utf8'));
  } catch {
    return {};
  }
};

/** Version of the build beside this file, or of the sources. */
export function productVersion(): string {
  const built = readJson(new URL('../stamp.json', import.meta.url)).version;
  if (typeof built === 'string') return built;
  const source = readJson(new URL('../package.json', import.meta.url)).version;
  return typeof source === 'string' ? `${source}+dev` : '0.0.0+unknown';
}
