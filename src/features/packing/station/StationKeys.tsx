/** Every key of the station; any key or click closes it. */
import { useT } from '#ui/kit/translate.ts'
import style from './ScanScreen.module.css'
import { stationKeys } from './station-keys.rules.ts'
import { focusFirst } from './station-parts.tsx'

export default function StationKeys({ close }: { close: () => void }) {
  const t = useT()
  const rows = [
    ['Enter', t('The next step')],
    ['Esc', t('Back')],
    ['1–9', t('Select an answer')],
    ...stationKeys.map(({ key, does }) => [key, t(does, { order_no: '' })]),
  ]
  return (
    <div className={style.keys} role="dialog" aria-label={t('Keys')}>
      <dl>
        {rows.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close} onKeyDown={close} ref={focusFirst}>
        {t('Close')}
      </button>
    </div>
  )
}
