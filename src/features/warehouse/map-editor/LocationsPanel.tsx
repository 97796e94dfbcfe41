/** All locations of the map: searched, and found on the drawing. */
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { binKey, byBinText } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Editor.module.css'
import type { Editor } from './editor-state.client.ts'
import { sideArrows } from './map.labels.ts'

export function LocationsPanel({ editor }: { editor: Editor }) {
  const t = useT()
  const [text, setText] = useState('')
  const late = useDeferredValue(text)
  const { locations } = editor.drawing
  const sorted = useMemo(() => locations.toSorted((a, b) => byBinText(a.code, b.code)), [locations])
  const found = useMemo(() => {
    const key = binKey(late)
    return key === '' ? sorted : sorted.filter(one => binKey(one.code).includes(key))
  }, [sorted, late])
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({ count: found.length, getScrollElement: () => box.current, estimateSize: () => 32, overscan: 10 })
  return (
    <>
      <TextInput
        type="search"
        size="xs"
        leftSection={<IconSearch size={16} />}
        aria-label={t('Search locations')}
        placeholder={t('Search locations')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      <span className={style.dim} role="status">
        {t('{{count}} locations', { count: found.length })}
      </span>
      <div className={style.list} ref={box}>
        <ul className={style.rows} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(item => {
            const one = found[item.index]
            if (!one) return null
            return (
              <li key={item.key} style={{ position: 'absolute', insetInline: 0, top: item.start }}>
                <button
                  type="button"
                  className={style.row}
                  style={{ height: 32 }}
                  onClick={() => editor.show({ x: one.x, y: one.y, width: 1, height: 1 })}
                >
                  <span>{one.code}</span>
                  <span>
                    {one.x}, {one.y} {sideArrows[one.side]} · {t('level {{level}}', { level: one.level })}
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}
