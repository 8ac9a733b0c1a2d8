import { expect, test } from 'vitest';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { newVariable, NO_TEMPLATE, TemplateForm } from './template-form.ts';
import { VariablesFields } from './VariablesFields.tsx';

test('the ends of a range can change their sign by a button, the step has none', async () => {
  const template: TemplateForm = { ...NO_TEMPLATE, variables: [newVariable('a')] };
  let from = '';
  function Template() {
    const form = useAppForm({
      schema: TemplateForm,
      initialValues: template,
      send: () => undefined,
      onValues: ({ variables }) => (from = variables?.[0]?.from ?? ''),
    });
    return <VariablesFields of={form} typed={template} />;
  }
  const { container, unmount } = await render(<Template />);
  const signs = container.querySelectorAll('[aria-label="Сменить знак"]');
  expect(signs).toHaveLength(2);
  await click(signs[0]);
  expect(from).toBe('−1');
  await unmount();
});
