/** Which page is shown: read from the address, changed without reloading. */

export type Route =
  | { page: 'start' }
  | { page: 'table'; table: string }
  | { page: 'day'; date: string }
  | { page: 'calendar' }
  | { page: 'replay'; match: string; play: number }
  | { page: 'rules'; game: string }
  | { page: 'learn'; game: string }
  | { page: 'settings' }
  | { page: 'nowhere' };

const DAYS = 'stichtag'; // an address that people have shared: it stays

/** Return the page of a path. */
export function routeOf(path: string): Route {
  const [first = '', second = '', third = ''] = path.split('/').filter(Boolean);
  switch (first) {
    case '':
    case 'offline':
      return { page: 'start' };
    case 't':
      return second ? { page: 'table', table: second } : { page: 'nowhere' };
    case DAYS:
      return { page: 'day', date: second };
    case 'calendar':
      return { page: 'calendar' };
    case 'replay':
      return second
        ? { page: 'replay', match: second, play: Number(third) || 0 }
        : { page: 'nowhere' };
    case 'rules':
      return { page: 'rules', game: second };
    case 'learn':
      return second ? { page: 'learn', game: second } : { page: 'nowhere' };
    case 'settings':
      return { page: 'settings' };
    default:
      return { page: 'nowhere' };
  }
}

class Router {
  route: Route = $state.raw(routeOf(location.pathname));

  constructor() {
    addEventListener('popstate', () => {
      this.route = routeOf(location.pathname);
    });
    document.addEventListener('click', (event) => this.#follow(event));
  }

  /** Go to a page of ours. */
  go(path: string, how: 'push' | 'replace' = 'push'): void {
    if (how === 'push') history.pushState(null, '', path);
    else history.replaceState(null, '', path);
    this.route = routeOf(location.pathname);
    if (how === 'push') scrollTo(0, 0);
  }

  /** Follow links to our own pages without reloading. */
  #follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0)
      return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname.startsWith('/api/') || routeOf(link.pathname).page === 'nowhere') return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
