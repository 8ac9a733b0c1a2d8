import * as v from 'valibot';

/** Requests one prepared picture from the worker. */
export const PictureRequest = v.object({ id: v.number(), file: v.instance(Blob) });
export type PictureRequest = v.InferOutput<typeof PictureRequest>;

export const PictureReply = v.variant('kind', [
  v.object({ kind: v.literal('prepared'), id: v.number(), picture: v.instance(Blob) }),
  /** `message` of a `PictureRefusal`; null: it failed for another reason. */
  v.object({ kind: v.literal('refused'), id: v.number(), message: v.nullable(v.string()) }),
]);
export type PictureReply = v.InferOutput<typeof PictureReply>;
