import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { keepSettings } from './state/settings.svelte';

keepSettings();
mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD && isSecureContext) {
  void import('./start/worker').then(({ register }) => register());
}
