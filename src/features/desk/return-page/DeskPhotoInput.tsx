/** The camera of the bench, which a key opens. */
import type { RefObject } from 'react'

export function DeskPhotoInput({ input, taken }: { input: RefObject<HTMLInputElement | null>; taken: (photo: File) => void }) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      accept="image/jpeg,image/png,image/webp"
      capture="environment"
      onChange={event => {
        const photo = event.currentTarget.files?.[0]
        event.currentTarget.value = ''
        if (photo) taken(photo)
      }}
    />
  )
}
