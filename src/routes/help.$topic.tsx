import { createFileRoute } from '@tanstack/react-router';
import { HelpPage } from '#app/features/help/HelpPage.tsx';
import { topicOf } from '#app/features/help/topics.ts';
import { ShellPage } from './-shell/ShellPage.tsx';

export const Route = createFileRoute('/help/$topic')({ component: Screen });

function Screen() {
  const { topic } = Route.useParams();
  return (
    <ShellPage
      title={topicOf(topic)?.title ?? 'Справка'}
      back={{ to: '/help', label: 'Вся справка' }}
    >
      <HelpPage topic={topic} />
    </ShellPage>
  );
}
