import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ answer, renderFiles }: ReviewProps<'file'>) => answer && renderFiles(answer);

export const fileReview: AnswerReview<'file'> = { Review };
