import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { renewWhenOutdated } from './state/renewal';
import { keepSettings } from './state/settings.svelte';

keepSettings();
renewWhenOutdated();
mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD && isSecureContext) {
  void import('./start/worker').then(({ register }) => register());
}
