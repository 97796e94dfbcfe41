/** The row of keys below the bench of returns. */
import { useT } from '#ui/kit/translate.ts'
import type { DeskKey } from './desk-keys.client.ts'
import style from './ReturnsDesk.module.css'

export function DeskKeys({ keys }: { keys: readonly DeskKey[] }) {
  const t = useT()
  return (
    <nav className={style.keys} aria-label={t('Keys')}>
      {keys
        .filter(({ onStage }) => !onStage)
        .map(one => (
          <button key={one.code} type="button" className={one.isEscape ? style.esc : undefined} onClick={one.run}>
            <kbd>{one.isEscape ? 'Esc' : one.code}</kbd>
            {one.name}
          </button>
        ))}
    </nav>
  )
}
