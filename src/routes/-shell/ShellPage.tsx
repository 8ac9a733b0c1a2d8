import { defaultParseSearch, Link, useLocation } from '@tanstack/react-router';
import { IconBooks, IconClipboardList, IconUsersGroup } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { RoleNumber } from '#contract/auth.ts';
import { isTeacherLevel } from '#domain/roles.ts';
import { InsecureNote } from '#app/offline/InsecureNote.tsx';
import { InstallEntry } from '#app/offline/InstallEntry.tsx';
import { ResumeBanner } from '#app/offline/ResumeBanner.tsx';
import { ShellSync } from '#app/offline/ShellSync.tsx';
import { UpdatePrompt } from '#app/offline/UpdatePrompt.tsx';
import { useSession } from '#app/session/session-context.ts';
import { AppShell, type AppShellProps } from '#app/ui/AppShell.tsx';
import type { ShellLinkProps } from '#app/ui/ShellLink.ts';
import { usePageTitle } from '#app/ui/use-page-title.ts';
import { LogoutQuestion } from './LogoutQuestion.tsx';

type ShellPageProps = Pick<AppShellProps, 'title' | 'titleAside' | 'actions' | 'back' | 'rail'> & {
  /** The test whose own page this is: there the banner «Идёт тест …» is not shown for it. */
  ownTestId?: string;
  children?: ReactNode;
};

/** The router's link to an address that may bear a query. */
export const ShellRouterLink = ({ to, ...rest }: ShellLinkProps) => {
  const [pathname = '', query = ''] = to.split('?');
  return (
    <Link
      to={pathname}
      search={defaultParseSearch(query)}
      activeOptions={{ exact: true, includeSearch: false }}
      {...rest}
    />
  );
};

const within = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

/** Only screens that exist are offered: nothing here leads to a dead end. */
function navigationOf(path: string, role: RoleNumber | undefined) {
  const isMine = ['/tests/my', '/tests/manage', '/bank'].some((root) => within(path, root));
  const isGroups = within(path, '/groups');
  const isTests = within(path, '/tests') || isMine || isGroups;
  return {
    sections: [{ to: '/tests/my', label: 'Тесты', active: isTests }],
    entries: [
      {
        to: '/tests',
        label: 'База тестов',
        shortLabel: 'База',
        icon: IconBooks,
        active: path === '/tests',
      },
      { to: '/tests/my', label: 'Мои тесты', icon: IconClipboardList, active: isMine },
      ...(role !== undefined && isTeacherLevel(role)
        ? [{ to: '/groups', label: 'Классы', icon: IconUsersGroup, active: isGroups }]
        : []),
    ],
  };
}

/** The address without a slash at its end. */
export const usePath = () =>
  useLocation({ select: ({ pathname }) => pathname.replace(/(.)\/$/, '$1') });

/** The frame of a page with what every page has: navigation, where the answers are, banners, sign-out. */
export function ShellPage({ children, ownTestId, ...page }: ShellPageProps) {
  usePageTitle(page.title);
  const path = usePath();
  const user = useSession()?.user ?? null;
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <AppShell
        {...page}
        {...navigationOf(path, user?.role)}
        user={user && { name: user.userName, role: user.role }}
        link={ShellRouterLink}
        onLogout={() => setLeaving(true)}
        menuExtra={<InstallEntry />}
        sync={user && <ShellSync owner={user.userId} />}
        banner={
          <>
            <InsecureNote />
            <UpdatePrompt owner={user?.userId ?? null} />
            {user && (
              <ResumeBanner
                owner={user.userId}
                exceptTestId={ownTestId}
                renderContinue={(testId) => (
                  <Link to="/tests/$testId" params={{ testId }}>
                    Продолжить
                  </Link>
                )}
              />
            )}
          </>
        }
      >
        {children}
      </AppShell>
      {user && isLeaving && (
        <LogoutQuestion owner={user.userId} onClose={() => setLeaving(false)} />
      )}
    </>
  );
}
