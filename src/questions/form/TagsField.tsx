import { Flex, Input, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { TAG_CHARACTERS, TAGS_PER_QUESTION } from '#contract/limits.ts';
import { normaliseText } from '#domain/normalise.ts';
import { Announcer } from '#app/ui/Announcer.tsx';
import { Icon } from '#app/ui/Icon.tsx';

export interface TagsFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: string[]) => void;
}

/** Tags of a question; Enter or a comma ends one. */
export function TagsField({ tags, onChange }: TagsFieldProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState('');
  const add = (text: string) => {
    const fresh = text.split(',').flatMap((part) => part.trim() || []);
    const known = new Set(tags.map(normaliseText));
    const added = fresh.filter((tag) => {
      const word = normaliseText(tag);
      return !known.has(word) && known.add(word);
    });
    const isLong = added.some((tag) => tag.length > TAG_CHARACTERS);
    const isMany = tags.length + added.length > TAGS_PER_QUESTION;
    setError(
      isLong
        ? `Метка не длиннее ${TAG_CHARACTERS} символов`
        : isMany
          ? `Не больше ${TAGS_PER_QUESTION} меток`
          : '',
    );
    // The pasted text stays, so that it can be corrected.
    if (isLong || isMany) return setTyped(text);
    setTyped('');
    if (added.length > 0) onChange([...tags, ...added]);
  };
  return (
    <Input.Wrapper
      label="Метки"
      description="Чтобы находить вопрос в банке: «ЕГЭ», «повторение». Через запятую."
      error={error}
    >
      {tags.length > 0 && (
        <Flex component="ul" wrap="wrap" gap="xs" mb="xs" aria-label="Метки вопроса">
          {tags.map((tag) => (
            <Flex
              component="li"
              key={tag}
              className="break-anywhere"
              align="center"
              maw="100%"
              ps={10}
              bdrs="sm"
              fz={15}
              c="var(--app-quiet-text)"
              bg="var(--app-quiet-soft)"
            >
              <span>{tag}</span>
              <UnstyledButton
                className="tap"
                px={14}
                aria-label={`Убрать метку «${tag}»`}
                onClick={() => onChange(tags.filter((one) => one !== tag))}
              >
                <Icon of={IconX} size={16} />
              </UnstyledButton>
            </Flex>
          ))}
        </Flex>
      )}
      <Input
        error={error}
        value={typed}
        autoComplete="off"
        onChange={(event) => {
          const text = event.currentTarget.value;
          if (text.endsWith(',')) add(text);
          else setTyped(text);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            event.preventDefault();
            add(typed);
          } else if (event.key === 'Backspace' && typed === '' && !event.repeat) {
            onChange(tags.slice(0, -1));
          }
        }}
        onBlur={() => add(typed)}
      />
      <Announcer words={error} />
    </Input.Wrapper>
  );
}
