/** The tabs of pages that share a place in the menu: the shell gives them, each of these pages draws them beside its title. */
import { createContext, type ReactNode, useContext } from 'react'

const Tabs = createContext<ReactNode>(null)
export const PageTabs = Tabs.Provider
export const usePageTabs = (): ReactNode => useContext(Tabs)
