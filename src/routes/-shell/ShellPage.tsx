import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useDevice } from '#app/lib/device-services.ts';
import { InsecureNote } from '#app/offline/InsecureNote.tsx';
import { InstallEntry } from '#app/offline/InstallEntry.tsx';
import { ResumeBanner } from '#app/offline/ResumeBanner.tsx';
import { ShellSync } from '#app/offline/ShellSync.tsx';
import { StorageNote } from '#app/offline/StorageNote.tsx';
import { UnreadableNote } from '#app/offline/UnreadableNote.tsx';
import { UpdatePrompt } from '#app/offline/UpdatePrompt.tsx';
import { useSession, useSessionStore } from '#app/lib/session/session-context.ts';
import { AppShell, type AppShellProps } from '#app/ui/layout/AppShell.tsx';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { currentUser } from '#contract/auth.ts';
import { isTeacherLevel } from '#domain/roles.ts';
import { call } from '#app/api/call.ts';
import { LogoutQuestion } from './LogoutQuestion.tsx';
import { navigationOf } from './navigation.ts';
import { ShellRouterLink } from './ShellRouterLink.tsx';
import { useOffersUpdate } from './use-offers-update.ts';

const EVERY_MS = 60_000;

/** Refetches the signed-in person on navigation and focus, since an administrator may change name or role. */
function useRenewedUser(): void {
  const store = useSessionStore();
  const { outbox } = useDevice();
  const navigate = useNavigate();
  const owner = useSession()?.user.userId;
  useQuery({
    queryKey: ['session', 'user', owner],
    queryFn: async ({ signal }) => {
      const { user, deviceKey, mustSetUpFactor } = await call(currentUser, {}, { signal });
      store.update(user);
      // Retries rows that could not be decrypted for lack of space or key.
      const isClosed = deviceKey !== undefined && (await outbox.unreadable()) > 0;
      if (isClosed && owner === user.userId) await outbox.openRows(owner, deviceKey);
      if (mustSetUpFactor === true) await navigate({ to: '/profile' });
      return true;
    },
    enabled: owner !== undefined,
    staleTime: EVERY_MS,
    retry: false,
  });
}

type ShellPageProps = Pick<AppShellProps, 'title' | 'titleAside' | 'actions' | 'back' | 'rail'> & {
  /** The test of the current page, for which the banner «Идёт тест …» is not shown. */
  ownTestId?: string;
  children?: ReactNode;
};

/** The path without a trailing slash. */
export const usePath = () =>
  useLocation({ select: ({ pathname }) => pathname.replace(/(.)\/$/, '$1') });

function accountLinks(path: string, isSignedIn: boolean) {
  const links = [
    ...(isSignedIn ? [{ to: '/profile', label: 'Профиль' }] : []),
    { to: '/help', label: 'Справка' },
  ];
  return links.map((link) => ({ ...link, active: path === link.to }));
}

/** The frame of every page: navigation, sync indicator, banners, sign-out. */
export function ShellPage({ children, ownTestId, ...page }: ShellPageProps) {
  usePageTitle(page.title);
  useRenewedUser();
  const path = usePath();
  useOffersUpdate(path);
  const { storage } = useDevice();
  const user = useSession()?.user ?? null;
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <AppShell
        {...page}
        {...navigationOf(path, user)}
        user={user && { name: user.userName, role: user.role }}
        accountLinks={accountLinks(path, user !== null)}
        signInAt={user ? undefined : `/login?redirect_path=${encodeURIComponent(path)}`}
        link={ShellRouterLink}
        onLogout={() => setLeaving(true)}
        menuExtra={<InstallEntry />}
        sync={
          user && (
            <ShellSync
              owner={user.userId}
              userName={user.userName}
              hidesDelivered={isTeacherLevel(user.role)}
            />
          )
        }
        banner={
          <>
            <InsecureNote />
            {user && <StorageNote isDurable={storage.durable} />}
            <UpdatePrompt owner={user?.userId ?? null} />
            {user && <UnreadableNote />}
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
