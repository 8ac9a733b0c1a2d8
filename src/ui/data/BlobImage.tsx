import { useEffect, useRef } from 'react';

export interface BlobImageProps {
  /** Bytes, or the address of the picture. */
  picture: Blob | string;
  alt: string;
  onError?: () => void;
}

/** A picture from its bytes; its `blob:` address lives as long as it is shown. */
export function BlobImage({ picture, alt, onError }: BlobImageProps) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!image.current) return;
    const url = typeof picture === 'string' ? picture : URL.createObjectURL(picture);
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  return <img ref={image} alt={alt} onError={onError} />;
}
