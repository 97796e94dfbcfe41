/** Serial numbers as they are compared: one key for all ways of writing a serial, and the scope in which it is unique. */
import type { SerialSettings } from '#features/company/companies/companies.schemas.ts'

type SerialScope = SerialSettings['default_scope']

/** Equal for serials that count as the same. */
export function serialKey(serial: string, letters: SerialSettings['letters']): string {
  const text = serial.normalize('NFC').trim()
  return letters === 'upper' ? text.toUpperCase() : text
}

/** Two serials with the same key conflict where their scope keys are equal; null conflicts with nothing. */
export function scopeKey(scope: SerialScope, sku_key: string): string | null {
  if (scope === 'none') return null
  return scope === 'company' ? 'c' : `p:${sku_key}`
}

/** A setting by its name and its value as text; undefined where the setting does not have such a value. */
export function readSetting(settings: SerialSettings, property: keyof SerialSettings, value: string): SerialSettings | undefined {
  switch (property) {
    case 'enabled':
      return value === 'true' || value === 'false' ? { ...settings, enabled: value === 'true' } : undefined
    case 'default_scope':
      return value === 'product' || value === 'company' || value === 'none' ? { ...settings, default_scope: value } : undefined
    case 'letters':
      return value === 'keep' || value === 'upper' ? { ...settings, letters: value } : undefined
    case 'min_length':
      return /^([1-9]|1\d|20)$/.test(value) ? { ...settings, min_length: Number(value) } : undefined
    case 'ask_at':
      return value === 'pack' || value === 'close' ? { ...settings, ask_at: value } : undefined
    case 'mode':
      return value === 'outbound' || value === 'stock' ? { ...settings, mode: value } : undefined
    case 'allow_typed':
      return value === 'true' || value === 'false' ? { ...settings, allow_typed: value === 'true' } : undefined
  }
}
