/**
 * Flags of the processes that answer calls and run tasks. Node lets the heap of a process grow to several times what it needs where the machine has
 * much memory: both processes held 1,010 MB under the load of a hundred stations, and 605 MB with these flags (`npm run bench -- load`). They collect
 * when what may be garbage is two fifths of what is in use. What Node has compiled with other flags is of no use to them.
 */
export const heapFlags = ['--max-semi-space-size=8', '--heap-growing-percent=40']
