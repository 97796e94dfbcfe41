/** Words under which screens are found beside their titles, once they are here. */
import { useEffect, useState } from 'react'
import { type ScreenWords, screenWords } from '#ui/navigation/screen.ts'

export function useScreenWords(): ScreenWords {
  const [words, setWords] = useState<ScreenWords>({})
  // The outside system is the server, from which they are fetched once.
  useEffect(() => void screenWords().then(setWords), [])
  return words
}
