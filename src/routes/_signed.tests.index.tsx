import { Link, createFileRoute } from '@tanstack/react-router';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/_signed/tests/')({ component: TestBaseScreen });

function TestBaseScreen() {
  return (
    <ShellPage title="База тестов">
      <EmptyState heading="Открытых тестов пока нет" action={<Link to="/tests/my">Мои тесты</Link>}>
        Тесты, которые вам назначены, лежат в «Моих тестах».
      </EmptyState>
    </ShellPage>
  );
}
