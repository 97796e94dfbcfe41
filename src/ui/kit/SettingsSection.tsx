/** A part of a settings page: what it is about on the left, its fields on the right. */
import type { ReactNode } from 'react'
import style from './Settings.module.css'

export function SettingsSection({ title, help, children }: { title: string; help?: ReactNode; children: ReactNode }) {
  return (
    <section className={style.section}>
      <div>
        <h2>{title}</h2>
        {help ? <div className={style.help}>{help}</div> : null}
      </div>
      <div className={style.fields}>{children}</div>
    </section>
  )
}
