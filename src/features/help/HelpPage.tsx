import { Box, Paper, Stack, Text } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { splitPictures } from './pictures.ts';
import { ShownPicture } from './ShownPicture.tsx';
import { sectionsOf, topicOf, TOPICS, type Topic } from './topics.ts';

export interface HelpPageProps {
  /** `student`, `teacher`, `operator`, `accessibility`; null or another value shows the contents. */
  topic: string | null;
}

/** Pages are bundled with the app and change only with its version. */
const helpQuery = (topic: Topic) =>
  queryOptions({
    queryKey: ['help/page', topic.key],
    queryFn: async () => sectionsOf((await topic.load()).default),
    staleTime: Infinity,
  });

function HelpText({ topic }: { topic: Topic }) {
  const { data: sections, problem, retry } = usePageQuery(helpQuery(topic));
  if (!sections)
    return problem === null ? <RowsSkeleton /> : <QueryProblem error={problem} onRetry={retry} />;
  return (
    <Stack gap="xl">
      {sections.map(({ heading, text }) => (
        <Box key={heading} component="section" lh="lg">
          {heading !== null && (
            <Box component="h2" mb="xs">
              {heading}
            </Box>
          )}
          <Stack gap="0.875rem">
            {splitPictures(text).map((part) =>
              typeof part === 'string' ? (
                <RichText key={part} text={part} />
              ) : (
                <ShownPicture key={part.src} picture={part} />
              ),
            )}
          </Stack>
        </Box>
      ))}
    </Stack>
  );
}

/** Help in Russian: the pages of docs/help. */
export function HelpPage({ topic }: HelpPageProps) {
  const shown = topicOf(topic);
  if (shown)
    return (
      <Paper component="article" maw="46rem" p={20}>
        <p>
          <Link to="/help" className="tap">
            Вся справка
          </Link>
        </p>
        <HelpText key={shown.key} topic={shown} />
      </Paper>
    );
  return (
    <Paper component="ul" maw="46rem">
      {TOPICS.map(({ key, title, about }) => (
        <Box key={key} component="li" pos="relative" px={20} py="md" className="line-between">
          <Link
            to="/help/$topic"
            params={{ topic: key }}
            className="covering"
            style={{ fontWeight: 600 }}
          >
            {title}
          </Link>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        </Box>
      ))}
    </Paper>
  );
}
