import { useEffect, useRef } from 'react';

export interface BlobImageProps {
  /** Bytes, or the picture's address. */
  picture: Blob | string;
  alt: string;
  onError?: () => void;
}

/** Shows a picture from its bytes. Its `blob:` address lives as long as the picture is shown. */
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
