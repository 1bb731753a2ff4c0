// Runs before the first paint, so that a stored theme never flashes.
(function () {
  try {
    var theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch (error) {
    console.warn('theme is not stored', error);
  }
})();
