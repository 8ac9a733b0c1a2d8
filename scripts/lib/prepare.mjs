import { ScriptError } from './project.mjs';
import { ensureInstalled } from './install.mjs';

/**
 * @param {string} version such as 20.19.0
 * @returns {boolean} whether the project runs on it
 */
export const nodeIsEnough = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19);
};

const requireNode = () => {
  if (!nodeIsEnough(process.versions.node))
    throw new ScriptError(
      `Нужен Node.js 20.19 или новее, а здесь ${process.versions.node}. Возьмите его на nodejs.org.`,
    );
};

/** Node is new enough and the packages are there. */
export const prepare = async () => {
  requireNode();
  await ensureInstalled();
};

/** As `prepare`, and the build is that of the present sources. */
export const prepareBuilt = async () => {
  await prepare();
  const { ensureBuilt } = await import('./build.mjs');
  await ensureBuilt();
};
