import { useLocalStorage } from '@mantine/hooks';
import { logProblem } from '#app/lib/log.ts';

/** How a list of projects is laid out. */
export type Layout = 'grid' | 'rows';

export const LAYOUT_KEY = 'projects-layout';

/** The stored layout; an invalid value is logged and ignored (specification, section 8). */
function parseLayout(stored: string | undefined): Layout {
  if (stored === 'grid' || stored === 'rows') return stored;
  if (stored !== undefined) logProblem('Сохранённый вид списка проектов не разобрать');
  return 'grid';
}

/** The layout of project lists on this device, and its setter. */
export const useLayout = () =>
  useLocalStorage<Layout>({
    key: LAYOUT_KEY,
    defaultValue: 'grid',
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: parseLayout,
  });
