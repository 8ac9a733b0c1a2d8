import { Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { formatCount } from '#domain/format.ts';
import classes from '#app/app/screens.module.css';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';

const SECONDS = 3;

/** Any other path: «not found», with a redirect to the home page after three seconds. */
export function NotFound() {
  usePageTitle('Страница не найдена');
  const navigate = useNavigate();
  const [left, setLeft] = useState(SECONDS);
  useEffect(() => {
    if (left === 0) {
      void navigate({ to: '/', replace: true });
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, navigate]);
  return (
    <main className={classes.page}>
      <Stack align="center" gap="sm" ta="center">
        <h1>Страница не найдена!</h1>
        <p className="tabular">
          Откроем главную через {formatCount(left, ['секунду', 'секунды', 'секунд'])}
        </p>
        <Link to="/" replace className="tap">
          На главную
        </Link>
      </Stack>
    </main>
  );
}
