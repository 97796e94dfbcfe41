/** What a screen of the table is, and the table itself, which `app/` registers. */
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Access } from '#contract/access.ts'

export type ScreenIcon =
  | 'approve'
  | 'collect'
  | 'customers'
  | 'dashboard'
  | 'deadlines'
  | 'exceptions'
  | 'groups'
  | 'invoices'
  | 'lists'
  | 'messages'
  | 'orders'
  | 'overview'
  | 'pick'
  | 'punchclock'
  | 'returns'
  | 'salary'
  | 'scan'
  | 'schedule'
  | 'serials'
  | 'settings'
  | 'shipments'
  | 'statistics'
  | 'timesheet'
  | 'users'

export interface Screen {
  /** A `{name}` is one segment of any text. */
  path: string
  /** English; the translation key. */
  title: string
  access: Access
  icon?: ScreenIcon
  /** The path of the screen under which this one lies. */
  parent?: string
  /** Only from an address that matches the company's pattern. */
  ipLock?: true
  /** Only for the main company of an operator. */
  mainOnly?: true
  /** Only on a small computer beside the printers. */
  device?: 'raspberry'
  /** Exists in development only, or when the conf file says `dev`. */
  dev?: true
  /** Stands under the bare base domain, which belongs to no company, and nowhere else. */
  bare?: true
  /** An alias or a page that no one looks for: in no menu and no palette. */
  hidden?: true
  /** `full` fills the window, without rail and top bar; `public` needs no login. The others stand in the shell. */
  look?: 'full' | 'public'
  /** Works without a network, and says so itself. */
  offline?: true
  /** `G` and this letter go there. */
  key?: string
  /** Ours, beside the routes of the specification. */
  own?: true
  /** Absent until it is built: then the route is not found and in no menu. */
  screen?: () => Promise<ComponentType>
  /** Asks for what the screen shows first, while the frame around it is still being drawn. */
  prefetch?: () => Promise<Prefetch>
}

export type Prefetch = (cache: QueryClient, location: { pathname: string; searchStr: string }) => void

/** More words under which screens are found, by path: English, each one translation key. */
export type ScreenWords = Readonly<Record<string, string>>

let table: readonly Screen[] = []
let fetchWords = async (): Promise<ScreenWords> => ({})

/** Called once, before the first navigation. The words are fetched when someone searches. */
export function registerScreens(screens: readonly Screen[], words: () => Promise<ScreenWords>): void {
  table = screens
  fetchWords = words
}

/** Without a network there are none: screens are found by their titles then. */
export const screenWords = (): Promise<ScreenWords> => fetchWords().catch(() => ({}))

/** Every screen, in the order of the specification's routes. */
export const allScreens = (): readonly Screen[] => table
