/** What every view of the picker uses: the picker itself, pictures, and the numbers of slots in their colours. */
import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react'
import type { SlotColour } from '#features/warehouse/pick-lists/pick-lists.schemas.ts'
import { slotLabel } from '#features/warehouse/pick-lists/slot-colors.rules.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Pick.module.css'
import type { Picker } from './picker-effects.client.ts'
import type { PickerEvent, PickerState } from './picker-model.rules.ts'
import type { Line } from './picking.rules.ts'

export const PickerContext = createContext<Picker | null>(null)

/** The picker of this page, and what it shows now. */
export function usePicker(): { picker: Picker; state: PickerState; dispatch: (event: PickerEvent) => void } {
  const picker = use(PickerContext)
  if (!picker) throw new Error('There is no picker above this component')
  return { picker, state: useSyncExternalStore(picker.subscribe, picker.read), dispatch: picker.dispatch }
}

/** A product's picture as the device keeps it, so that it is there without a network too. */
export function LinePicture({ line, size }: { line: Line; size: number }) {
  const { picker } = usePicker()
  const [url, setUrl] = useState<string | null>(null)
  // The outside system is the device's store of pictures.
  useEffect(() => {
    let gone = false
    setUrl(null)
    void picker.pictureOf(line).then(found => gone || setUrl(found))
    return () => {
      gone = true
    }
  }, [picker, line.product_id, line.picture_version, line.has_picture, line])
  const label = line.sku ? `${line.name} (${line.sku})` : line.name
  if (url) return <img className={style.picture} src={url} alt={label} width={size} height={size} onError={() => setUrl(null)} />
  return (
    <span className={style.picture} style={{ inlineSize: size, blockSize: size }} role="img" aria-label={label}>
      {line.sku ?? line.name.slice(0, 12)}
    </span>
  )
}

/** A bin's code; its hyphens are dim, so that the digits carry. */
export function BinCode({ bin }: { bin: string }) {
  const letters = [...bin].map((letter, at) => ({ letter, at }))
  return <span className={style.binCode}>{letters.map(({ letter, at }) => (letter === '-' ? <i key={at}>-</i> : letter))}</span>
}

/** A slot's number, with its colour beside it: never the colour alone. */
export function SlotNumber({ no, colour, size = 'small' }: { no: number; colour: SlotColour | null; size?: 'small' | 'large' }) {
  const t = useT()
  return (
    <span
      className={style.slotNumber}
      data-colour={colour ?? 'none'}
      data-size={size}
      style={colour ? { '--back': slotLabel[colour].ground, '--front': slotLabel[colour].ink } : undefined}
    >
      <span className={style.srOnly}>{t('Number')} </span>
      {no}
    </span>
  )
}
