import { createFileRoute } from '@tanstack/react-router';
import { CreatedTests } from '#app/authoring/CreatedTests.tsx';
import { MyTestsFrame } from './-shell/MyTestsFrame.tsx';
import { requireTeacher } from './-shell/require-teacher.ts';

export const Route = createFileRoute('/_signed/tests/my/created')({
  beforeLoad: ({ context: { app } }) => requireTeacher(app),
  component: CreatedTestsScreen,
});

function CreatedTestsScreen() {
  return (
    <MyTestsFrame>
      <CreatedTests />
    </MyTestsFrame>
  );
}
