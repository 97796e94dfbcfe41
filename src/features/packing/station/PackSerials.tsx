/** Which piece of an outer pack the next serial number belongs to, and the way to take all of them back. */
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './PackSerials.module.css'
import { useStation } from './station-parts.tsx'

export default function PackSerials({ pack: { pieces, given } }: { pack: NonNullable<PackingOrder['pack']> }) {
  const t = useT()
  const { dispatch } = useStation()
  return (
    <div className={style.pack}>
      <h3 aria-live="polite">{t('Serial {{n}} of {{pieces}}', { n: given + 1, pieces })}</h3>
      <progress value={given} max={pieces} aria-label={t('Serial numbers of this pack')} />
      <Button
        size="md"
        variant="default"
        leftSection={<IconArrowBackUp size={20} aria-hidden />}
        onClick={() => dispatch({ type: 'undo_pack' })}
      >
        {t('Take pack back')}
      </Button>
    </div>
  )
}
