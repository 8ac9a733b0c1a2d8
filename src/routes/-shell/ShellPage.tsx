import { Link, useLocation } from '@tanstack/react-router';
import { IconBooks, IconClipboardList } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
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

type ShellPageProps = Pick<AppShellProps, 'title' | 'titleAside' | 'actions' | 'back'> & {
  /** Hides the banner «Идёт тест …» on the page of that very test. */
  withoutResume?: boolean;
  children?: ReactNode;
};

const ShellRouterLink = ({ to, ...rest }: ShellLinkProps) => (
  <Link to={to} activeOptions={{ exact: true, includeSearch: false }} {...rest} />
);

const within = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

/** Only screens that exist are offered: nothing here leads to a dead end. */
function navigationOf(path: string) {
  const isMine = within(path, '/tests/my') || within(path, '/tests/manage');
  const isTests = within(path, '/tests');
  return {
    sections: [{ to: '/tests/my', label: 'Тесты', active: isTests }],
    entries: [
      {
        to: '/tests',
        label: 'База тестов',
        shortLabel: 'База',
        icon: IconBooks,
        active: path.replace(/\/$/, '') === '/tests',
      },
      { to: '/tests/my', label: 'Мои тесты', icon: IconClipboardList, active: isMine },
    ],
  };
}

/** The frame of a page with what every page has: navigation, where the answers are, banners, sign-out. */
export function ShellPage({ children, withoutResume = false, ...page }: ShellPageProps) {
  usePageTitle(page.title);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const user = useSession()?.user ?? null;
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <AppShell
        {...page}
        {...navigationOf(path)}
        user={user && { name: user.userName, role: user.role }}
        link={ShellRouterLink}
        onLogout={() => setLeaving(true)}
        menuExtra={<InstallEntry />}
        sync={user && <ShellSync owner={user.userId} />}
        banner={
          <>
            <InsecureNote />
            <UpdatePrompt owner={user?.userId ?? null} />
            {user && !withoutResume && (
              <ResumeBanner
                owner={user.userId}
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
