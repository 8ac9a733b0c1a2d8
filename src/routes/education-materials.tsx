import { createFileRoute } from '@tanstack/react-router';
import { PlaceholderScreen } from './-shell/PlaceholderScreen.tsx';

export const Route = createFileRoute('/education-materials')({
  component: () => <PlaceholderScreen title="Учебные материалы" />,
});
