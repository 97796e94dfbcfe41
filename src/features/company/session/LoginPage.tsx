/** The frame of pages that are shown before sign-in: name, language and picture. */
import { Group, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { locales } from '#contract/limits.ts'
import { HarborIllustration } from '#ui/kit/illustrations.tsx'
import { Logo } from '#ui/kit/Logo.tsx'
import { chooseLocale, isLocale, localeNames, useLocale, useT } from '#ui/kit/translate.ts'
import style from './Login.module.css'

export function LoginPage({ children }: { children: ReactNode }) {
  const t = useT()
  const locale = useLocale()
  return (
    <div className={style.page}>
      <div className={style.form}>
        <div className={style.inner}>
          <div className={style.brand}>
            <Logo size={36} />
            <b>Pakhus</b>
          </div>
          {children}
          <Group mt="xl">
            <NativeSelect
              size="xs"
              aria-label={t('Language')}
              value={locale}
              onChange={event => isLocale(event.currentTarget.value) && void chooseLocale(event.currentTarget.value)}
              data={locales.map(one => ({ value: one, label: localeNames[one] }))}
            />
          </Group>
        </div>
      </div>
      <div className={style.picture}>
        <HarborIllustration />
      </div>
    </div>
  )
}

/** The name under which a user signs in. */
export function LoginNameInput({ value, onChange }: { value: string; onChange: (typed: string) => void }) {
  const t = useT()
  return (
    <TextInput
      label={t('E-mail, user name or number')}
      name="login"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      withAsterisk={false}
      autoFocus
      size="md"
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
