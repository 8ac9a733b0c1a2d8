import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { PeoplePicker, type Pickable } from '#app/ui/forms/PeoplePicker.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { PickedRows } from './PickedRows.tsx';
import classes from './settings.module.css';
import { FIELD_LABELS } from './messages.ts';
import { useClasses, usePeople } from './use-pickable.ts';
import type { SettingsForm } from './use-settings-form.ts';

const nameOf = (people: readonly Pickable[] | null, id: string) =>
  people?.find((one) => one.id === id)?.name;

/** Who may take the test: classes, single students, or everybody. */
export function AssignmentSection({ form }: { form: SettingsForm }) {
  const { draft, errors, set } = form;
  const [open, setOpen] = useState<'people' | 'classes' | null>(null);
  const people = usePeople(open === 'people');
  const groups = useClasses(open === 'classes');
  const { assignedUserIds: users, assignedGroupIds: assigned } = draft;
  const add = (what: 'people' | 'classes', words: string) => (
    <Button
      variant="default"
      size="sm"
      leftSection={<Icon of={IconPlus} />}
      onClick={() => setOpen(what)}
    >
      {words}
    </Button>
  );
  return (
    <section className={classes.section} aria-labelledby="assignment">
      <h2 id="assignment">Кому назначен</h2>
      <div data-field="openToAll">
        <SwitchField
          name="openToAll"
          label={FIELD_LABELS.openToAll}
          description="Пройти его сможет каждый, кто вошёл, и без назначения"
          value={draft.openToAll}
          onChange={(checked) => set('openToAll', checked)}
        />
      </div>
      <div data-field="assignedGroupIds">
        <FieldGroup
          label={FIELD_LABELS.assignedGroupIds}
          description="Тест получат и те, кто придёт в класс позже"
          error={errors.get('assignedGroupIds')}
        >
          <PickedRows
            rows={assigned.map(({ groupId, name }) => ({ id: groupId, name }))}
            empty="Ни одного класса"
            onRemove={(id) =>
              set(
                'assignedGroupIds',
                assigned.filter(({ groupId }) => groupId !== id),
              )
            }
          />
          {add('classes', 'Выбрать классы')}
        </FieldGroup>
      </div>
      <div data-field="assignedUserIds">
        <FieldGroup label={FIELD_LABELS.assignedUserIds} error={errors.get('assignedUserIds')}>
          <PickedRows
            rows={users.map(({ userId, userName }) => ({ id: userId, name: userName }))}
            empty="Никому лично"
            onRemove={(id) =>
              set(
                'assignedUserIds',
                users.filter(({ userId }) => userId !== id),
              )
            }
          />
          {add('people', 'Выбрать учеников')}
        </FieldGroup>
      </div>
      <PeoplePicker
        opened={open === 'classes'}
        onClose={() => setOpen(null)}
        title="Каким классам назначить?"
        people={groups.people}
        problem={groups.problem}
        empty="У вас пока нет классов. Их можно завести на странице «Классы»."
        picked={assigned.map(({ groupId }) => groupId)}
        onPick={(ids) =>
          set(
            'assignedGroupIds',
            ids.map((groupId) => ({
              groupId,
              name:
                assigned.find((one) => one.groupId === groupId)?.name ??
                nameOf(groups.people, groupId) ??
                '',
            })),
          )
        }
      />
      <PeoplePicker
        opened={open === 'people'}
        onClose={() => setOpen(null)}
        title="Кому назначить?"
        people={people.people}
        problem={people.problem}
        empty="Пока никто не зарегистрирован."
        picked={users.map(({ userId }) => userId)}
        onPick={(ids) =>
          set(
            'assignedUserIds',
            ids.map((userId) => ({
              userId,
              userName:
                users.find((one) => one.userId === userId)?.userName ??
                nameOf(people.people, userId) ??
                '',
            })),
          )
        }
      />
    </section>
  );
}
