import { defaultParseSearch, Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { ShellLinkProps } from '#app/ui/layout/ShellLink.ts';
import { navigateBy } from './delayed-navigation.ts';

/** Clicks that the browser handles itself. */
const isBrowsers = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;

/** A router link to a path that may have a query. */
export function ShellRouterLink({ to, timing = 'immediate', ...rest }: ShellLinkProps) {
  const navigate = useNavigate();
  const [pathname = '', query = ''] = to.split('?');
  const target = { to: pathname, search: defaultParseSearch(query) };
  return (
    <Link
      {...target}
      activeOptions={{ exact: true, includeSearch: false }}
      onClick={(event) => {
        if (timing === 'immediate' || isBrowsers(event)) return;
        event.preventDefault();
        navigateBy(timing, () => void navigate(target));
      }}
      {...rest}
    />
  );
}
