/** Who did something, as screens name them. */
import type { useT } from './translate.ts'

/** A person's name stays; what the server did by itself says so. */
export const actorName = (t: ReturnType<typeof useT>, name: string): string => (name === 'system' ? t('Automatically') : name)
